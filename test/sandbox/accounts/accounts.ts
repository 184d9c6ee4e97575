import { RICH_BALANCE } from '../answers/magicInputs';
import { PRODUCTS, type CreditMovement, type Product, type SandboxKeys } from '../types';

type Balances = Record<Product, number>;

const everyProduct = (credits: number) =>
	Object.fromEntries(PRODUCTS.map((product) => [product, credits])) as Balances;

/** One account: its balance of every product, and every movement of credits so far. */
export class Account {
	private credits: Balances;

	readonly entries: CreditMovement[] = [];

	constructor(
		readonly key: string,
		credits: number,
	) {
		this.credits = everyProduct(credits);
	}

	get balances(): Balances {
		return { ...this.credits };
	}

	setBalance(product: Product, credits: number) {
		this.credits[product] = credits;
	}

	/** Takes credits, or gives them back when `amount` is negative. */
	move(entry: CreditMovement) {
		this.credits[entry.product] -= entry.amount;
		this.entries.push(entry);
	}

	get spent(): Balances {
		const total = everyProduct(0);
		for (const { product, amount } of this.entries) total[product] += amount;
		return total;
	}
}

/** The accounts of the sandbox, by API key (SPEC §1: balances are per product and per account). */
export class Accounts {
	private accounts = new Map<string, Account>();

	constructor(private readonly keys: SandboxKeys) {
		this.reset();
	}

	reset() {
		this.accounts.clear();
		this.open(this.keys.main, RICH_BALANCE);
		this.open(this.keys.other, RICH_BALANCE);
		this.open(this.keys.empty, 0);
	}

	/** The account of a key, or undefined when the key is wrong. */
	find(key: string | undefined): Account | undefined {
		return key === undefined ? undefined : this.accounts.get(key);
	}

	/** The account of a key that has to exist. Throws when it does not. */
	get(key: string): Account {
		const account = this.find(key);
		if (!account) throw new Error(`The sandbox has no account with the key "${key}"`);
		return account;
	}

	all(): Account[] {
		return [...this.accounts.values()];
	}

	/** Opens an account until the next reset. */
	open(key: string, credits = RICH_BALANCE) {
		this.accounts.set(key, new Account(key, credits));
	}
}

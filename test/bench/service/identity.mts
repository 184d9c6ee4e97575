/** Who the service is over TLS: a certificate for 127.0.0.1, and the authority that signed it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsIdentity } from '../../sandbox/index.ts';

export interface Identity extends TlsIdentity {
	/** File of the authority's certificate, for NODE_EXTRA_CA_CERTS. */
	caFile: string;
	/** The same as text. */
	ca: string;
}

/** What most certificates of the web have by now, and the cheapest that a service can show. */
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const DAYS = ['-days', '2'];

/**
 * Makes both, by the `openssl` of the machine, since Node signs no certificates. The service's own is signed by an authority because
 * Node 24 takes none that signed itself, whatever NODE_EXTRA_CA_CERTS says. The files are gone with this process.
 */
export function makeIdentity(): Identity {
	const folder = mkdtempSync(join(tmpdir(), 'bench-tls-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const file = (name: string) => join(folder, name);
	const text = (name: string) => readFileSync(file(name), 'utf8');
	const openssl = (...args: string[]) => {
		try {
			execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
		} catch (error) {
			throw new Error(`Benchmarks over TLS need the command openssl, version 3: ${error}`);
		}
	};
	openssl(
		...['req', '-x509', ...KEY, ...DAYS, '-subj', '/CN=Bench authority'],
		...['-addext', 'basicConstraints=critical,CA:TRUE', '-keyout', 'ca.key', '-out', 'ca.pem'],
	);
	openssl(...['req', '-new', ...KEY, '-subj', '/CN=127.0.0.1', '-keyout', 'key', '-out', 'csr']);
	writeFileSync(file('ext'), 'subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n');
	openssl(
		...['x509', '-req', '-in', 'csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
		...[...DAYS, '-extfile', 'ext', '-out', 'cert.pem'],
	);
	return { key: text('key'), cert: text('cert.pem'), caFile: file('ca.pem'), ca: text('ca.pem') };
}

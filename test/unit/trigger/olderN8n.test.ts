/** What n8n's loader makes of a package: it takes a TypeError for a class that is not there. */
function load(): unknown {
	let error: unknown;
	jest.isolateModules(() => {
		try {
			jest.requireActual('../../../nodes/LookupMessagingTrigger/LookupMessagingTrigger.node');
		} catch (thrown) {
			error = thrown;
		}
	});
	return error;
}

afterEach(() => void jest.dontMock('n8n-workflow'));

test('an n8n without connection types gets a message that says which one is needed', () => {
	jest.doMock('n8n-workflow', () => ({
		...jest.requireActual<object>('n8n-workflow'),
		NodeConnectionTypes: undefined,
	}));
	const error = load();
	expect(error).not.toBeInstanceOf(TypeError);
	expect(error).toMatchObject({ message: expect.stringContaining('needs n8n 1.85 or newer') });
});

test('an n8n with them gets no message', () => {
	expect(load()).toBeUndefined();
});

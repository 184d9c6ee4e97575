afterEach(() => void jest.dontMock('n8n-workflow'));

test('an n8n without connection types gets a message that says which one is needed', () => {
	jest.doMock('n8n-workflow', () => ({
		...jest.requireActual<object>('n8n-workflow'),
		NodeConnectionTypes: undefined,
	}));
	const node = '../../../nodes/LookupMessagingTrigger/LookupMessagingTrigger.node';
	const load = () => jest.isolateModules(() => void jest.requireActual(node));
	expect(load).toThrow('needs n8n 1.85 or newer');
	// n8n's loader takes a TypeError for a class that is not there
	expect(load).not.toThrow(TypeError);
});

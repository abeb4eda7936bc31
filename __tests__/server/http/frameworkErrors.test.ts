import { problemOf } from '../../../server/http/problems';

describe('An error of the framework', () => {
  it.each([
    [400, 400, 'bad_request'],
    [499, 499, 'bad_request'],
    [503, 503, 'unavailable'],
    [399, 500, 'internal'],
    [500, 500, 'internal'],
    [501, 500, 'internal'],
    [undefined, 500, 'internal'],
  ])('with status %s becomes a %d with the code %s, and its message is not shown', (statusCode, status, code) => {
    const problem = problemOf(Object.assign(new Error('inside words'), { statusCode }));
    expect([problem.status, problem.code]).toEqual([status, code]);
    expect(problem.detail).not.toContain('inside words');
  });
});

import { problemOf } from '../../../server/http/problems';

const DETAILS: Record<string, string> = {
  bad_request: "We couldn't read this request. Reload the page and try again.",
  unavailable: 'The shop is busy. Please try again in a moment.',
  internal: 'Something went wrong on our side. Please try again.',
};
const RETRY_AFTER = { headers: { 'retry-after': '2' } };

const databaseError = (code: string) => Object.assign(new Error('inside words'), { code });

describe('An error of PostgreSQL', () => {
  it.each([
    ['22P02', 404, 'not_found', "This address doesn't exist."],
    ['22003', 422, 'validation', "A value can't be stored."],
    ['22P05', 422, 'validation', "A value can't be stored."],
    ['23505', 409, 'bad_request', 'This has changed since you opened it. Reload and try again.'],
    ['23514', 409, 'bad_request', 'This has changed since you opened it. Reload and try again.'],
    ['23P01', 409, 'bad_request', 'This has changed since you opened it. Reload and try again.'],
    ['53100', 507, 'storage_full', "We can't save anything right now. Nothing was changed. Please try again later."],
    ['23502', 500, 'internal', DETAILS['internal']],
    ['42P01', 500, 'internal', DETAILS['internal']],
    ['XX022', 500, 'internal', DETAILS['internal']],
    ['XX057', 500, 'internal', DETAILS['internal']],
  ])('with the code %s becomes a %d with the code %s', (sqlState, status, code, detail) => {
    for (const error of [databaseError(sqlState), new Error('outer', { cause: databaseError(sqlState) })])
      expect({ ...problemOf(error) }).toEqual({ status, code, detail, extra: {} });
  });

  it.each(['08006', '25006', '25P03', '40001', '40P01', '53300', '55P03', '57014', '57P01'])(
    'with the code %s becomes a 503 with Retry-After, because a retry may succeed',
    (sqlState) => {
      const expected = { status: 503, code: 'unavailable', detail: DETAILS['unavailable'], extra: RETRY_AFTER };
      expect({ ...problemOf(databaseError(sqlState)) }).toEqual(expected);
      for (const outerCode of ['ERR_OUTER', 'OUTER_ERR', 'E'])
        expect({ ...problemOf(Object.assign(databaseError(outerCode), { cause: databaseError(sqlState) })) }).toEqual(
          expected,
        );
    },
  );
});

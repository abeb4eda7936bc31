import type { Middleware } from '@reduxjs/toolkit';
import { apiSlice } from '../../../src/api/apiSlice';
import { describeRecordedAction, isFailure } from '../../../src/app/describeRecordedAction';
import { createStore } from '../../../src/app/store';
import type { RecordedAction } from '../../../src/recorder/sessionFile';

test('loading tools that are already loaded is described as such, and not as a failure', async () => {
  const actions: RecordedAction[] = [];
  const collect: Middleware = () => (next) => (action) => {
    actions.push(action as RecordedAction);
    return next(action);
  };
  const store = createStore({ renew: () => Promise.resolve(false) }, collect);
  await store.dispatch(apiSlice.util.upsertQueryData('listTools', undefined, []));
  await store.dispatch(apiSlice.endpoints.listTools.initiate(undefined, { subscribe: false }));
  const last = actions.at(-1)!;
  expect(last.type).toMatch(/\/rejected$/);
  expect([describeRecordedAction(last), isFailure(last)]).toEqual(['listTools was already loaded', false]);
});

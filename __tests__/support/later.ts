const right = performance.now.bind(performance);

/** For the server in this process it is so much later, by the clock that nobody can set; `restoreAllMocks` ends it. */
export const later = (ms: number) => jest.spyOn(performance, 'now').mockImplementation(() => right() + ms);

/** Every table, for the migrations and the queries. */
export * from './embedded';
export * from './payments';
export * from './shop';

/** Every table, for the migrations and the queries. */
export * from './schema.embedded';
export * from './schema.payments';
export * from './schema.shop';

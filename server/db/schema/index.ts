/** Every table of the shop, for the migrations and the queries. The embedded services define their own. */
export * from './mail';
export * from './orders';
export * from './payments';
export * from './shop';

/** Every table, for the migrations and the queries. Only the embedded services query their own tables. */
export * from '../../../embedded/firebase-auth/schema';
export * from '../../../embedded/stripe/schema';
export * from './mail';
export * from './orders';
export * from './payments';
export * from './shop';

/** Every table, for the migrations and the queries. Only the embedded services query the tables that they define. */
export * from '../../../embedded/firebase-auth/schema';
export * from '../../../embedded/stripe/schema';
export * from './mail';
export * from './orders';
export * from './payments';
export * from './shop';

/** Every table, for the migrations and the queries. The embedded services own theirs: the domains never query them. */
export * from '../../../embedded/firebase-auth/schema';
export * from '../../../embedded/stripe/schema';
export * from './payments';
export * from './shop';

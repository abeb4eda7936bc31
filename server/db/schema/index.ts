/**
 * Every table, for the migrations and the queries. Except for backups, only the embedded services use the tables
 * that they define.
 */
export * from '../../../embedded/firebase-auth/schema';
export * from '../../../embedded/stripe/schema';
export * from './mail';
export * from './orders';
export * from './payments';
export * from './shop';

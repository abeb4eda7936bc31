import { CONTACT } from './contact';
import { SHOP_NAME } from './shopName';

/** The seller's lines on an invoice. Each invoice keeps those of its day. */
export const SELLER = [SHOP_NAME, CONTACT.street, CONTACT.town, CONTACT.email, CONTACT.phone].join('\n');

import { randomBytes } from 'node:crypto';

/** Short enough to read out: five letters of this process, and how many requests it has had. */
const process5 = [...randomBytes(5)].map((byte) => 'abcdefghjkmnpqrstvwxyz23456789'[byte % 30]).join('');
let count = 0;

export const nextRequestId = () => `${process5}-${(++count).toString(36)}`;

import styled from 'styled-components';
import type { Order } from '../../contract/entities';

/** Keeps the line breaks of an address. */
export const Lines = styled.span`
  display: block;
  white-space: pre-line;
`;

export const Recipient = ({ order: { client, address, phone } }: { order: Order }) => (
  <>
    <Lines as="bdi">{client}</Lines>
    <Lines as="bdi">{address}</Lines>
    <Lines as="bdi">{phone}</Lines>
  </>
);

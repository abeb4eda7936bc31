import { NotFound } from '../../ui/NotFound';

const NO_PAGE = 'There is no page at this address.';

export default function NotFoundPage() {
  return (
    <NotFound
      title="Page not found"
      description={NO_PAGE}
      why={`${NO_PAGE} It may have moved, or the address has a typing mistake.`}
    />
  );
}

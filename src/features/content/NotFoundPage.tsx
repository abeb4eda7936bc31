import styled from 'styled-components';
import { ButtonLink } from '../../ui/Button';
import { Head } from '../../ui/Head';
import { Page, PageTitle } from '../../ui/page';
import { Picture } from '../../ui/Picture';
import { color, radius, space } from '../../ui/theme';

const Middle = styled(Page)`
  display: grid;
  justify-items: center;
  gap: ${space(5)};
  text-align: center;
`;

const Plate = styled.div`
  width: 100%;
  max-width: 560px;
  overflow: hidden;
  border: 1px solid ${color.line};
  border-radius: ${radius};
`;

const SIZES = '(min-width: 640px) 560px, 100vw';

export default function NotFoundPage() {
  return (
    <Middle>
      <Head title="Page not found" description="There is no page at this address." path="/" noindex />
      <Plate>
        <Picture
          src="/images/pages/not-found.webp"
          sizes={SIZES}
          alt="404, not found: a drill bit, snapped in two"
          width={800}
          height={600}
          eager
        />
      </Plate>
      <PageTitle>Page not found</PageTitle>
      <p>There is no page at this address. It may have moved, or the address has a typing mistake.</p>
      <ButtonLink to="/">Back to the tools</ButtonLink>
    </Middle>
  );
}

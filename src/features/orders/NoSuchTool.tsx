import styled from 'styled-components';
import { ButtonLink } from '../../ui/Button';
import { Head } from '../../ui/Head';
import { PageTitle } from '../../ui/page';
import { Picture } from '../../ui/Picture';
import { space } from '../../ui/theme';

const Middle = styled.div`
  display: grid;
  justify-items: center;
  gap: ${space(5)};
  text-align: center;
  img {
    max-width: 480px;
  }
`;

export function NoSuchTool() {
  return (
    <Middle>
      <Head title="Page not found" description="There is no such tool." path="/" noindex />
      <Picture
        src="/images/pages/not-found.webp"
        sizes="(min-width: 640px) 560px, 100vw"
        alt="404, not found: a drill bit, snapped in two"
        width={800}
        height={600}
      />
      <PageTitle>There is no such tool</PageTitle>
      <p>It may have been taken out of the shop, or the address has a typing mistake.</p>
      <ButtonLink to="/">Back to the tools</ButtonLink>
    </Middle>
  );
}

import styled from 'styled-components';
import { ButtonLink } from './Button';
import { Head } from './Head';
import { Page, PageTitle } from './page';
import { Picture } from './Picture';
import { PictureFrame } from './PictureFrame';
import { space } from './theme';

const CenteredPage = styled(Page)`
  display: grid;
  justify-items: center;
  gap: ${space(5)};
  text-align: center;
`;

const ImageFrame = styled(PictureFrame)`
  width: 100%;
  max-width: 560px;
`;

const SIZES = '(min-width: 640px) 560px, 100vw';

type NotFoundProps = { title: string; description: string; why: string };

export function NotFound({ title, description, why }: NotFoundProps) {
  return (
    <CenteredPage>
      <Head title="Page not found" description={description} path="/" noindex />
      <ImageFrame>
        <Picture
          src="/images/pages/not-found.webp"
          sizes={SIZES}
          alt="404, not found: a drill bit, snapped in two"
          width={800}
          height={600}
          eager
        />
      </ImageFrame>
      <PageTitle>{title}</PageTitle>
      <p>{why}</p>
      <ButtonLink to="/">Back to the tools</ButtonLink>
    </CenteredPage>
  );
}

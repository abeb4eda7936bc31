import { createContext, useContext } from 'react';

/**
 * The origin of the shop's public URL, for links that must be absolute. It is the same on the server and in the
 * browser.
 */
export const SiteOrigin = createContext('');

const SITE = 'Forgeline';

type HeadProps = {
  title: string;
  description: string;
  path: string;
  picture?: string;
  noindex?: boolean;
};

/** React moves these elements into the document's head, also on the server. */
export function Head({ title, description, path, picture = '/icons/og.jpg', noindex = false }: HeadProps) {
  const origin = useContext(SiteOrigin);
  const fullTitle = `${title} · ${SITE}`;
  return (
    <>
      <title>{fullTitle}</title>
      <meta name="description" content={description} />
      {noindex ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={origin + path} />}
      <meta property="og:site_name" content={SITE} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={fullTitle} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={origin + path} />
      <meta property="og:image" content={picture.startsWith('/') ? origin + picture : picture} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

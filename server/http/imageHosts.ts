import { safeHref } from '../../src/contract/links';
import { invalidField } from './problems';
import type { Settings } from '../settings/settings';

/** What the paths of uploaded pictures begin with. */
export const PICTURE_FOLDER = '/picture/';

type ImageSettings = Pick<Settings, 'imgHosts' | 'publicUrl'>;

/**
 * Includes `data:`, because the blurred previews of the shop's pictures are data URLs.
 * @returns the sources for `img-src` in the content security policy of pages
 */
export const imageSources = ({ imgHosts }: Pick<Settings, 'imgHosts'>): string[] => [
  "'self'",
  'data:',
  ...(imgHosts?.map((host) => `https://${host}`) ?? ['https:']),
];

function isAllowed(link: string, { imgHosts, publicUrl }: ImageSettings): boolean {
  if (!imgHosts || link.startsWith('/')) return true;
  const { origin, hostname, port } = new URL(link);
  return origin === publicUrl || (port === '' && imgHosts.includes(hostname));
}

/** Admins may copy the address of an uploaded picture, with the shop's origin and a width, from the browser. */
function withoutOriginOfPicture(link: string, publicUrl: string): string {
  const { origin, pathname } = new URL(link, publicUrl);
  return origin === publicUrl && pathname.startsWith(PICTURE_FOLDER) ? pathname : link;
}

/**
 * @returns the link in the form in which it is stored
 * @throws 422 if the link is to a host that IMG_HOSTS does not name
 */
export function toImageLink(img: string, settings: ImageSettings): string {
  const link = withoutOriginOfPicture(safeHref(img)!, settings.publicUrl);
  if (isAllowed(link, settings)) return link;
  const hosts = settings.imgHosts!.join(' or ');
  throw invalidField('img', `The picture must be a path of this site or a link to ${hosts}.`);
}

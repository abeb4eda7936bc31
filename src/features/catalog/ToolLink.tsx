import type { ComponentPropsWithRef, MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { toolPath } from '../../contract/toolPath';
import { opensElsewhere } from '../../ui/opensElsewhere';
import { growPicture } from './growPicture';

/** The `state` of a tool's history entry, if the entry before it is the list. */
export const FROM_LIST = { isFromList: true };

type Props = { id: string } & Omit<ComponentPropsWithRef<'a'>, 'id' | 'href'>;

/** A link in a tool's card. The card's picture is its first element. */
export function ToolLink({ id, ...rest }: Props) {
  const navigate = useNavigate();
  const to = toolPath(id);
  const open = (event: MouseEvent<HTMLElement>) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    const picture = event.currentTarget.closest('li')!.firstElementChild as HTMLElement;
    growPicture(picture, () => void navigate(to, { state: FROM_LIST }));
  };
  return <Link {...rest} to={to} onClick={open} />;
}

import { NotFound } from '../../ui/NotFound';

export default function NotFoundPage() {
  return (
    <NotFound
      title="Page not found"
      description="Page not found."
      why="It may have moved, or the link may have a typo."
    />
  );
}

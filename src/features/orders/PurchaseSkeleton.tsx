import { Skeleton } from '../../ui/Skeleton';
import { Spinner } from '../../ui/Spinner';
import { Columns } from './purchaseStyle';

export const FormSkeleton = () => <Skeleton $height="560px" />;

export function PurchaseSkeleton() {
  return (
    <>
      <Skeleton $height="52px" $width="60%" />
      <Columns>
        <Skeleton $height="auto" $ratio="4 / 3" />
        <div>
          <Spinner label="Loading the tool" />
          <FormSkeleton />
        </div>
      </Columns>
    </>
  );
}

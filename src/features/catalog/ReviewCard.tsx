import { memo, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import styled from 'styled-components';
import type { Review } from '../../contract/entities';
import { initialsPath } from '../../contract/initials';
import { toolPath } from '../../contract/toolPath';
import { Picture } from '../../ui/Picture';
import { color, size, space } from '../../ui/theme';
import { Body, CardItem } from './cardStyle';
import { Stars } from './Stars';
import { FROM_LIST } from './ToolLink';

/** Its link is as high as the line, so that it is large enough for touch. */
const ToolName = styled.strong`
  a {
    display: inline-block;
  }
`;

const Quote = styled.blockquote`
  flex: 1;
  overflow-wrap: anywhere;
  unicode-bidi: isolate;
`;

const Author = styled.div`
  display: grid;
  grid-template-columns: 56px minmax(0, 1fr);
  align-items: center;
  gap: ${space(4)};
`;

const Name = styled.h3`
  font-size: ${size.lead};
  unicode-bidi: isolate;
`;

const Rating = styled.p`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space(1)} ${space(2)};
  color: ${color.muted};
  font-size: ${size.small};
`;

type ReviewCardProps = { review: Review; children?: ReactNode };

export const ReviewCard = memo(function ReviewCard({ review, children }: ReviewCardProps) {
  return (
    <CardItem>
      <Body>
        {review.toolId && (
          <ToolName dir="auto">
            <Link to={toolPath(review.toolId)} state={FROM_LIST}>
              {review.toolName}
            </Link>
          </ToolName>
        )}
        <Quote dir="auto">{review.description}</Quote>
        <Author>
          <Picture src={review.img} placeholder={initialsPath(review.name)} alt="" width={56} height={56} round />
          <div>
            <Name dir="auto">{review.name}</Name>
            <Rating>
              {`Ratings: ${review.ratings}`} <Stars rating={review.ratings} />
            </Rating>
          </div>
        </Author>
        {children}
      </Body>
    </CardItem>
  );
});

export interface ReviewFields {
  description: string;
  ratings: string;
  img: string;
}

export const BLANK: ReviewFields = { description: '', ratings: '', img: '' };

import { useEffect, useState } from 'react';
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form';
import { tabStorage } from '../storage';
import { newKey } from '../contract/newKey';
import { DRAFT } from './drafts';

interface Stored<T> {
  values?: Partial<T>;
  /** What was sent last without a word of success, and the key it went with. */
  sent?: { body: string; key: string };
}

function read<T>(name: string): Stored<T> {
  try {
    return JSON.parse(tabStorage()[DRAFT + name] ?? '{}') as Stored<T>;
  } catch {
    return {};
  }
}

/** A full storage costs the draft, not the form. */
function write<T>(name: string, change: Stored<T>): void {
  try {
    tabStorage()[DRAFT + name] = JSON.stringify({ ...read<T>(name), ...change });
  } catch {
    return;
  }
}

/** What was typed in this form and not sent yet. To be given to the form as its default values. */
export function useDraft<T extends FieldValues>(name: string, blank: DefaultValues<T>): DefaultValues<T> {
  return useState(() => ({ ...blank, ...read<T>(name).values }))[0];
}

const whole = <T>(values: T): Partial<T> => values;

/** Keeps what is typed, or the `part` of it: it survives a failed send, a reload and a session that ends. */
export function useKeepDraft<T extends FieldValues>(name: string, { subscribe }: UseFormReturn<T>, part = whole<T>) {
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => write(name, { values: part(values) }) }),
    [name, subscribe, part],
  );
}

export const forgetDraft = (name: string) => Reflect.deleteProperty(tabStorage(), DRAFT + name);

/** One key for one filling of a form: sent again after a lost answer it is the same; another body is something new. */
export function draftKey(name: string, body: unknown): string {
  const text = JSON.stringify(body);
  const { sent } = read(name);
  if (sent?.body === text) return sent.key;
  const key = newKey();
  write(name, { sent: { body: text, key } });
  return key;
}

export const renewDraftKey = (name: string) => write(name, { sent: undefined });

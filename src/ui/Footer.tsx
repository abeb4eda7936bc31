import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { FAQ } from '../contract/faq';
import { CONTACT, SOCIAL_LINKS } from '../contract/contact';
import { Address, Column, Columns, FooterRoot, Icons, Links, BottomBar, SmallText } from './footerStyle';
import { Content, VisuallyHidden } from './page';
import { Newsletter } from './Newsletter';
import { OfflineBar } from './OfflineBar';

const iconPaths: Record<string, string> = {
  LinkedIn:
    'M4 9h4v11H4zM6 3.5a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4ZM10 9h3.8v1.7c.6-1.1 1.9-2 3.8-2 3.3 0 4.4 2 4.4 5.2V20h-4v-5.4c0-1.6-.4-2.6-1.8-2.6-1.5 0-2.2 1-2.2 2.7V20h-4z',
  YouTube:
    'M3.5 6.2C2.3 7.4 2 9.5 2 12s.3 4.6 1.5 5.8C4.7 19 8 19 12 19s7.3 0 8.5-1.2S22 14.5 22 12s-.3-4.6-1.5-5.8S16 5 12 5 4.7 5 3.5 6.2ZM10 8.8l5.2 3.2-5.2 3.2z',
  Instagram:
    'M8 3h8a5 5 0 0 1 5 5v8a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5Zm0 2a3 3 0 0 0-3 3v8a3 3 0 0 0 3 3h8a3 3 0 0 0 3-3V8a3 3 0 0 0-3-3H8Zm4 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Zm0 2a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM17 6h1.5v1.5H17z',
};

function SocialIcon({ name }: { name: string }) {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" fillRule="evenodd" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}

function Contact() {
  return (
    <Column>
      <h2>Contact</h2>
      <Address>
        <span>{CONTACT.street}</span>
        <span>{CONTACT.town}</span>
        <a href={CONTACT.phoneHref}>{CONTACT.phone}</a>
        <a href={`mailto:${CONTACT.email}`}>{CONTACT.email}</a>
      </Address>
      <SmallText>{CONTACT.hours}</SmallText>
    </Column>
  );
}

function FaqLinks() {
  return (
    <Column as="nav" aria-label="FAQ">
      <h2>FAQ</h2>
      <Links>
        {FAQ.map(({ id, question }) => (
          <li key={id}>
            <Link to={`/about#${id}`}>{question}</Link>
          </li>
        ))}
      </Links>
    </Column>
  );
}

function SocialLinks() {
  return (
    <Icons>
      {SOCIAL_LINKS.map(({ name, href }) => (
        <li key={name}>
          <a href={href} target="_blank" rel="noreferrer" title={`Forgeline on ${name}`}>
            <SocialIcon name={name} />
            <VisuallyHidden>{`Forgeline on ${name} (opens a new tab)`}</VisuallyHidden>
          </a>
        </li>
      ))}
    </Icons>
  );
}

export default function Footer({ onLoaded }: { onLoaded: (isLoaded: true) => void }) {
  useEffect(() => onLoaded(true), [onLoaded]);
  return (
    <FooterRoot>
      <Columns>
        <Contact />
        <FaqLinks />
        <Column>
          <h2>News from the factory</h2>
          <Newsletter />
          <SocialLinks />
        </Column>
      </Columns>
      <BottomBar>
        <Content as={SmallText}>Hand and power tools, made in one factory, sold by the crate.</Content>
      </BottomBar>
      <OfflineBar />
    </FooterRoot>
  );
}

import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { FAQ } from '../contract/faq';
import { CONTACT, SOCIAL } from '../contract/contact';
import { Address, Column, Columns, Ground, Icons, Links, Rule, Small } from './footerStyle';
import { Content, Hidden } from './page';
import { Newsletter } from './Newsletter';
import { SocialIcon } from './SocialIcon';

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
      <Small>{CONTACT.hours}</Small>
    </Column>
  );
}

function Questions() {
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

function Elsewhere() {
  return (
    <Icons>
      {SOCIAL.map(({ name, href }) => (
        <li key={name}>
          <a href={href} target="_blank" rel="noopener noreferrer" title={`Forgeline on ${name}`}>
            <SocialIcon name={name} />
            <Hidden>{`Forgeline on ${name} (opens a new tab)`}</Hidden>
          </a>
        </li>
      ))}
    </Icons>
  );
}

export default function Footer({ onThere }: { onThere: (isThere: true) => void }) {
  useEffect(() => onThere(true), [onThere]);
  return (
    <Ground>
      <Columns>
        <Contact />
        <Questions />
        <Column>
          <h2>News from the works</h2>
          <Newsletter />
          <Elsewhere />
        </Column>
      </Columns>
      <Rule>
        <Content as={Small}>Forgeline. Hand and power tools, made in one works, sold by the crate.</Content>
      </Rule>
    </Ground>
  );
}

import {useEffect} from 'react';
import {Outlet, useLocation, useNavigate, useRouter} from '@tanstack/react-router';
// The package gives it away with all of its components alone.
import {RouterProvider as AriaRouter} from 'react-aria/private/utils/openLink';
import {Page} from '../design/page.tsx';
import {EmptyState, ErrorState} from '../design/state.tsx';
import {ButtonLink, Button} from '../design/button.tsx';
import {Gate, Mark} from '../design/shell.tsx';
import {LiveProvider} from '../live/provider.tsx';
import {addressIn, signInAddress} from '../session/address.ts';
import {HeldProvider, OrganizationProvider, useHeldPermissions, useSession, useSessionState, useWho} from '../session/provider.tsx';
import {useTexts} from '../texts/index.tsx';
import {useOrganizationId} from './address.ts';
import {rememberOrganization} from './last_organization.ts';
import {ProblemState} from './problem.tsx';
import {ConsoleShell} from './console_shell.tsx';

const kSignIn = '/console/sign-in';

/** Links and menus go through the router. */
export function Root() {
  const router = useRouter();
  return (
    <AriaRouter navigate={(href) => void router.navigate({href})}>
      <Outlet />
    </AriaRouter>
  );
}

/** Whoever is not signed in goes to sign in, and comes back here. */
export function SignedIn() {
  const state = useSessionState();
  const session = useSession();
  const navigate = useNavigate();
  const {href} = useLocation();
  const {shell} = useTexts();
  const isOut = state.kind === 'signed out';
  useEffect(() => {
    // While that page loads this one is still here, with the address of that one.
    if (isOut && !href.startsWith(kSignIn)) void navigate({href: signInAddress(href), replace: true});
  }, [isOut, href, navigate]);
  if (state.kind === 'signed in') return <Outlet />;
  if (state.kind !== 'unreachable') return null;
  return (
    <Gate brand={<><Mark size={32} />{shell.name}</>} title={shell.unreachable}>
      <ProblemState problem={state.problem} retry={() => void session.ask()} title={shell.problems.title} small />
    </Gate>
  );
}

/** The organization of the address. */
export function InOrganization() {
  const organization = useOrganizationId();
  const {shell} = useTexts();
  const who = useWho();
  const isMember = who?.organizations.some((each) => each.uniqueId === organization);
  useEffect(() => {
    if (isMember) rememberOrganization(organization);
  }, [isMember, organization]);
  const otherwise = (
    <Gate brand={<><Mark size={32} />{shell.name}</>} title={shell.notMember} description={shell.notMemberText}>
      <ButtonLink kind="primary" wide href="/console/">{shell.toHome}</ButtonLink>
    </Gate>
  );
  return (
    <OrganizationProvider id={organization} otherwise={otherwise}>
      <LiveProvider>
        <HeldProvider>
          <ConsoleShell><Allowed /></ConsoleShell>
        </HeldProvider>
      </LiveProvider>
    </OrganizationProvider>
  );
}

/** What belongs to the person is there also where the organization lets nobody in without a second factor. */
function Allowed() {
  const {problem} = useHeldPermissions();
  const organization = useOrganizationId();
  const isOwn = useLocation({select: ({pathname}) => /\/(profile|sessions)$/.test(pathname)});
  const {shell} = useTexts();
  if (!problem?.isSecondFactorRequired || isOwn) return <Outlet />;
  return (
    <Page>
      <EmptyState icon="shield" level={1} title={shell.factorRequired}
                  actions={<ButtonLink kind="primary" href={addressIn(organization, 'profile')}>{shell.setUpFactor}</ButtonLink>}>
        {shell.factorRequiredText}
      </EmptyState>
    </Page>
  );
}

export function NotFound() {
  const {shell} = useTexts();
  return (
    <Page>
      <EmptyState icon="search" level={1} title={shell.notFound} actions={<ButtonLink href="/console/">{shell.toHome}</ButtonLink>}>
        {shell.notFoundText}
      </EmptyState>
    </Page>
  );
}

/** A page that throws takes nothing else with it. */
export function Crashed({error}: {error: unknown}) {
  const {shell} = useTexts();
  console.error(error);
  return (
    <Page>
      <ErrorState level={1} title={shell.crashed} reference={{text: error instanceof Error ? error.message : String(error)}}
                  actions={<Button icon="retry" onPress={() => location.reload()}>{shell.reload}</Button>}>
        {shell.crashedText}
      </ErrorState>
    </Page>
  );
}

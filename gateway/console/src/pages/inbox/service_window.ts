/** How long any message can still be sent to a contact. */
export type ServiceWindow =
  | {readonly kind: 'open'; readonly left: number; readonly isShort: boolean}
  | {readonly kind: 'over'}
  /** They never wrote. */
  | {readonly kind: 'never'};

const kMinute = 60_000;
const kShort = 2 * 60 * kMinute;

export function serviceWindow(endsAt: string | null, now: number): ServiceWindow {
  if (endsAt === null) return {kind: 'never'};
  const left = Date.parse(endsAt) - now;
  return left > 0 ? {kind: 'open', left, isShort: left <= kShort} : {kind: 'over'};
}

/** Hours and minutes as they are told: rounded down, so that no more is promised than there is. */
export function leftOf(milliseconds: number): {hours: number; minutes: number} {
  const minutes = Math.max(0, Math.floor(milliseconds / kMinute));
  return {hours: Math.floor(minutes / 60), minutes: minutes % 60};
}

/** The same for a badge: whole minutes, and one where there is less. */
export const roughlyLeft = (milliseconds: number): number => Math.max(1, Math.floor(milliseconds / kMinute)) * kMinute;

/** When what is shown of a window changes next: whole minutes are left then. */
export function nextChange(endsAt: string, now: number): number {
  const left = Date.parse(endsAt) - now;
  if (left <= 0) return Infinity;
  return left % kMinute || kMinute;
}

/** How long any message can still be sent to a contact. */
export type ServiceWindow =
  | {readonly kind: 'open'; readonly left: number; readonly isShort: boolean}
  | {readonly kind: 'over'; readonly since: number}
  /** They never wrote. */
  | {readonly kind: 'never'};

const kHour = 3600_000;
const kShort = 2 * kHour;

export function serviceWindow(endsAt: string | null, now: number): ServiceWindow {
  if (endsAt === null) return {kind: 'never'};
  const left = Date.parse(endsAt) - now;
  if (left <= 0) return {kind: 'over', since: -left};
  return {kind: 'open', left, isShort: left <= kShort};
}

/** Hours and minutes as they are told: rounded down, so that no more is promised than there is. */
export function leftOf(milliseconds: number): {hours: number; minutes: number} {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  return {hours: Math.floor(minutes / 60), minutes: minutes % 60};
}

/** When what is shown of a window changes next: whole minutes are left then. */
export function nextChange(endsAt: string, now: number): number {
  const left = Date.parse(endsAt) - now;
  if (left <= 0) return Infinity;
  return left % 60_000 || 60_000;
}

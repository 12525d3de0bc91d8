// Pictures of heroicons: of an SVG file that is imported, its path (bundle.mjs).
import archive from 'heroicons/24/outline/archive-box.svg';
import arrow_back from 'heroicons/24/outline/arrow-left.svg';
import arrow_down from 'heroicons/24/outline/arrow-down.svg';
import arrow_up from 'heroicons/24/outline/arrow-up.svg';
import attach from 'heroicons/24/outline/paper-clip.svg';
import block from 'heroicons/24/outline/no-symbol.svg';
import building from 'heroicons/24/outline/building-office-2.svg';
import calendar from 'heroicons/24/outline/calendar.svg';
import campaign from 'heroicons/24/outline/megaphone.svg';
import chart from 'heroicons/24/outline/chart-bar.svg';
import check from 'heroicons/24/outline/check.svg';
import chevron_back from 'heroicons/24/outline/chevron-left.svg';
import chevron_down from 'heroicons/24/outline/chevron-down.svg';
import chevron_forward from 'heroicons/24/outline/chevron-right.svg';
import clock from 'heroicons/24/outline/clock.svg';
import close from 'heroicons/24/outline/x-mark.svg';
import computer from 'heroicons/24/outline/computer-desktop.svg';
import contacts from 'heroicons/24/outline/users.svg';
import copy from 'heroicons/24/outline/square-2-stack.svg';
import document from 'heroicons/24/outline/document-text.svg';
import download from 'heroicons/24/outline/arrow-down-tray.svg';
import edit from 'heroicons/24/outline/pencil-square.svg';
import external from 'heroicons/24/outline/arrow-top-right-on-square.svg';
import eye from 'heroicons/24/outline/eye.svg';
import eye_off from 'heroicons/24/outline/eye-slash.svg';
import filter from 'heroicons/24/outline/funnel.svg';
import home from 'heroicons/24/outline/home.svg';
import inbox from 'heroicons/24/outline/inbox.svg';
import key from 'heroicons/24/outline/key.svg';
import link from 'heroicons/24/outline/link.svg';
import list from 'heroicons/24/outline/queue-list.svg';
import location from 'heroicons/24/outline/map-pin.svg';
import lock from 'heroicons/24/outline/lock-closed.svg';
import menu from 'heroicons/24/outline/bars-3.svg';
import more from 'heroicons/24/outline/ellipsis-horizontal.svg';
import offline from 'heroicons/24/outline/signal-slash.svg';
import phone from 'heroicons/24/outline/device-phone-mobile.svg';
import photo from 'heroicons/24/outline/photo.svg';
import plus from 'heroicons/24/outline/plus.svg';
import reply from 'heroicons/24/outline/arrow-uturn-left.svg';
import retry from 'heroicons/24/outline/arrow-path.svg';
import search from 'heroicons/24/outline/magnifying-glass.svg';
import segment from 'heroicons/24/outline/chart-pie.svg';
import shield from 'heroicons/24/outline/shield-check.svg';
import sign_out from 'heroicons/24/outline/arrow-right-start-on-rectangle.svg';
import sort from 'heroicons/24/outline/chevron-up-down.svg';
import tag from 'heroicons/24/outline/tag.svg';
import trash from 'heroicons/24/outline/trash.svg';
import upload from 'heroicons/24/outline/arrow-up-tray.svg';
import user from 'heroicons/24/outline/user.svg';
import user_add from 'heroicons/24/outline/user-plus.svg';
import information from 'heroicons/20/solid/information-circle.svg';
import ok from 'heroicons/20/solid/check-circle.svg';
import pause from 'heroicons/20/solid/pause.svg';
import play from 'heroicons/20/solid/play.svg';
import send from 'heroicons/20/solid/paper-airplane.svg';
import warning from 'heroicons/20/solid/exclamation-triangle.svg';

/** Lines of 1.5 in a square of 24. The last two are drawn here, as heroicons has none. */
export const outline = {
  archive, arrow_back, arrow_down, arrow_up, attach, block, building, calendar, campaign, chart, check, chevron_back, chevron_down,
  chevron_forward, clock, close, computer, contacts, copy, document, download, edit, external, eye, eye_off, filter, home, inbox, key,
  link, list, location, lock, menu, more, offline, phone, photo, plus, reply, retry, search, segment, shield, sign_out, sort, tag, trash,
  upload, user, user_add,
  check_double: 'm2 13 4.5 5L15.5 6M11 16.5l1.5 1.5L22 6',
  minus: 'M5 12h14',
};

/** Areas in a square of 20. Danger is an octagon, so that it differs from the others by its outline. */
export const solid = {
  information, ok, pause, play, send, warning,
  danger: 'M6.7 2h6.6L18 6.7v6.6L13.3 18H6.7L2 13.3V6.7L6.7 2ZM10 5.5a.8.8 0 0 0-.8.8v4a.8.8 0 0 0 1.6 0v-4a.8.8 0 0 0-.8-.8Zm0 9.200a1 1 0 1 0 0-2 1 1 0 0 0 0 2Z',
};

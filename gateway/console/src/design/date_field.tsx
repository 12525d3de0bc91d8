import {Button} from 'react-aria-components/Button';
import {Calendar, CalendarCell, CalendarGrid, CalendarGridBody, CalendarGridHeader, CalendarHeaderCell, CalendarHeading} from 'react-aria-components/Calendar';
import {DateField as AriaDateField, DateInput, DateSegment, type DateFieldProps as AriaDateFieldProps, type DateValue} from 'react-aria-components/DateField';
import {DatePicker as AriaDatePicker, type DatePickerProps as AriaDatePickerProps} from 'react-aria-components/DatePicker';
import {Dialog} from 'react-aria-components/Dialog';
import {Group} from 'react-aria-components/Group';
import {Popover} from 'react-aria-components/Popover';
import {TimeField as AriaTimeField, type TimeFieldProps as AriaTimeFieldProps, type TimeValue} from 'react-aria-components/TimeField';
import {cx} from './cx.ts';
import {FieldLabel, FieldNotes, fieldStyles as f, validity, type FieldProps} from './field.tsx';
import {Icon} from './icon.tsx';
import {popoverClass} from './popover.tsx';
import s from './date_field.module.css';

type Own = 'children' | 'className' | 'style' | 'render' | 'isInvalid';

const segments = <DateInput className={s.input ?? ''}>{(segment) => <DateSegment segment={segment} className={s.segment ?? ''} />}</DateInput>;

export interface DateFieldProps extends FieldProps, Omit<AriaDateFieldProps<DateValue>, Own> {}

/** A date that one knows, typed part by part in the reader's own order. */
export function DateField({label, labelHidden, hint, description, error, ...rest}: DateFieldProps) {
  return (
    <AriaDateField {...rest} {...validity(error)} className={f.field ?? ''}>
      <FieldLabel {...{label, hint}} {...(labelHidden && {labelHidden})} />
      <Group className={f.box ?? ''}>{segments}</Group>
      <FieldNotes {...{description, error}} />
    </AriaDateField>
  );
}

export interface TimeFieldProps extends FieldProps, Omit<AriaTimeFieldProps<TimeValue>, Own> {}

export function TimeField({label, labelHidden, hint, description, error, ...rest}: TimeFieldProps) {
  return (
    <AriaTimeField {...rest} {...validity(error)} className={f.field ?? ''}>
      <FieldLabel {...{label, hint}} {...(labelHidden && {labelHidden})} />
      <Group className={f.box ?? ''}><Icon name="clock" />{segments}</Group>
      <FieldNotes {...{description, error}} />
    </AriaTimeField>
  );
}

export interface DatePickerProps extends FieldProps, Omit<AriaDatePickerProps<DateValue>, Own> {}

/** A date that one looks for. With `granularity="minute"` a time too; a ZonedDateTime says its zone. */
export function DatePicker({label, labelHidden, hint, description, error, ...rest}: DatePickerProps) {
  return (
    <AriaDatePicker {...rest} {...validity(error)} className={f.field ?? ''}>
      <FieldLabel {...{label, hint}} {...(labelHidden && {labelHidden})} />
      <Group className={f.box ?? ''}>
        {segments}
        <Button className={f.inner ?? ''}><Icon name="calendar" /></Button>
      </Group>
      <FieldNotes {...{description, error}} />
      <Popover className={popoverClass} offset={4}>
        <Dialog className={s.dialog ?? ''}>
          <Calendar>
            <header className={s.head}>
              <Button slot="previous" className={cx(s.turn)}><Icon name="chevron_back" /></Button>
              <CalendarHeading className={s.heading ?? ''} />
              <Button slot="next" className={cx(s.turn)}><Icon name="chevron_forward" /></Button>
            </header>
            <CalendarGrid className={s.grid ?? ''}>
              <CalendarGridHeader>{(day) => <CalendarHeaderCell className={s.weekday ?? ''}>{day}</CalendarHeaderCell>}</CalendarGridHeader>
              <CalendarGridBody>{(date) => <CalendarCell date={date} className={s.day ?? ''} />}</CalendarGridBody>
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </AriaDatePicker>
  );
}

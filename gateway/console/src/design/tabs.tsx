import type {ReactNode} from 'react';
import {Tab, TabList, TabPanel, Tabs as AriaTabs, type Key} from 'react-aria-components/Tabs';
import {ToggleButton} from 'react-aria-components/ToggleButton';
import {ToggleButtonGroup} from 'react-aria-components/ToggleButtonGroup';
import {Icon, type IconName} from './icon.tsx';
import {Count} from './badge.tsx';
import s from './tabs.module.css';

export interface TabEntry {
  id: string;
  text: string;
  count?: number | string | undefined;
  /** Where the tab is part of the address. */
  href?: string;
  panel?: ReactNode;
}

export interface TabsProps {
  label: string;
  tabs: readonly TabEntry[];
  selected: string;
  onSelect?: (id: string) => void;
  /** The panel of the chosen tab, where all tabs share one. */
  children?: ReactNode;
}

export function Tabs({label, tabs, selected, onSelect, children}: TabsProps) {
  return (
    <AriaTabs className={s.tabs ?? ''} selectedKey={selected} onSelectionChange={(key: Key) => onSelect?.(String(key))}>
      <TabList className={s.list ?? ''} aria-label={label}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={s.tab ?? ''} {...(tab.href && {href: tab.href})}>
            {tab.text}{tab.count !== undefined && <Count>{tab.count}</Count>}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => <TabPanel key={tab.id} id={tab.id} className={s.panel ?? ''}>{tab.panel ?? children}</TabPanel>)}
    </AriaTabs>
  );
}

export interface Segment {
  id: string;
  text: string;
  icon?: IconName;
  /** Shows the icon alone. */
  iconOnly?: boolean;
  count?: number | string | undefined;
}

export interface SegmentedControlProps {
  label: string;
  segments: readonly Segment[];
  selected: string;
  onSelect: (id: string) => void;
  wide?: boolean;
}

/** One of two to five views of the same thing. */
export function SegmentedControl({label, segments, selected, onSelect, wide}: SegmentedControlProps) {
  return (
    <ToggleButtonGroup
      className={`${s.segments} ${wide ? s.wide : ''}`} aria-label={label} selectionMode="single" disallowEmptySelection selectedKeys={[selected]}
      onSelectionChange={(keys) => { for (const key of keys) onSelect(String(key)); }}
    >
      {segments.map((segment) => (
        <ToggleButton key={segment.id} id={segment.id} className={s.segment ?? ''} {...(segment.iconOnly && {'aria-label': segment.text})}>
          {segment.icon && <Icon name={segment.icon} />}
          {!segment.iconOnly && <span>{segment.text}{segment.count !== undefined && <> <span className={s.number}>{segment.count}</span></>}</span>}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

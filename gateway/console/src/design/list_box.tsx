import {Header} from 'react-aria-components/Header';
import {ListBoxItem, ListBoxSection, type Key} from 'react-aria-components/ListBox';
import {listClasses, OptionBody, type Option} from './option.tsx';

function OptionItem({option}: {option: Option}) {
  return (
    <ListBoxItem id={option.id} textValue={option.text} className={listClasses.item} {...(option.isDisabled && {isDisabled: true})}>
      {({isSelected}) => <OptionBody {...{option, isSelected}} />}
    </ListBoxItem>
  );
}

/** Choices under a heading. */
export interface OptionGroup {
  id: Key;
  text: string;
  options: readonly Option[];
}

export function optionItems(options: readonly (Option | OptionGroup)[]) {
  return options.map((one) => 'options' in one
    ? (
      <ListBoxSection key={one.id} id={one.id} className={listClasses.section}>
        <Header className={listClasses.header}>{one.text}</Header>
        {one.options.map((option) => <OptionItem key={option.id} option={option} />)}
      </ListBoxSection>
    )
    : <OptionItem key={one.id} option={one} />);
}

import {useEffect, useEffectEvent, useMemo, useState} from 'react';
import {Tooltip as AriaTooltip, TooltipTriggerStateContext} from 'react-aria-components/Tooltip';
import {useTooltipTriggerState} from 'react-stately/useTooltipTriggerState';
import {Keys} from './keys.tsx';
import s from './tooltip.module.css';

const kDelay = 500;
const kCloseDelay = 100;

/**
 * The tooltip of all that have `data-tooltip`, and perhaps `data-tooltip-keys`: one for the whole console, which loads after the page.
 * What only a tooltip tells, fingers never learn: it repeats or adds, no more.
 */
export default function Tooltip() {
  const state = useTooltipTriggerState({delay: kDelay, closeDelay: kCloseDelay});
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const trigger = useMemo(() => ({current: target}), [target]);

  const show = (element: HTMLElement, immediately: boolean) => {
    setTarget(element);
    state.open(immediately);
  };
  const point = useEffectEvent(({target: at, relatedTarget: from, pointerType}: PointerEvent) => {
    const [next, last] = [described(at), described(from)];
    if (next === last || pointerType === 'touch') return;
    if (next) show(next, false);
    else state.close();
  });
  const focus = useEffectEvent(({target: at}: FocusEvent) => {
    const next = described(at);
    if (next?.matches(':focus-visible')) show(next, true);
  });
  const close = useEffectEvent(() => state.close(true));
  // Escape closes it alone, not the dialog that it is in.
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (state.isOpen && event.key === 'Escape') event.stopPropagation();
    state.close(true);
  });
  useEffect(() => {
    // Before React Aria hears that one points at the tooltip itself, which keeps it open.
    const listening = new AbortController();
    const options = {capture: true, signal: listening.signal};
    document.addEventListener('pointerover', point, options);
    document.addEventListener('pointerdown', close, options);
    document.addEventListener('focusin', focus, options);
    document.addEventListener('focusout', close, options);
    document.addEventListener('keydown', press, options);
    return () => listening.abort();
  }, []);

  return (
    <TooltipTriggerStateContext value={state}>
      {target?.isConnected && (
        <AriaTooltip triggerRef={trigger} className={s.tooltip ?? ''} offset={6}>
          {target.dataset.tooltip}{target.dataset.tooltipKeys && <Keys keys={target.dataset.tooltipKeys} />}
        </AriaTooltip>
      )}
    </TooltipTriggerStateContext>
  );
}

const described = (at: EventTarget | null) => (at instanceof Element ? at.closest<HTMLElement>('[data-tooltip]') : null);

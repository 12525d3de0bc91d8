/** What tabs tell each other; a BroadcastChannel, which tells all tabs but the one that speaks. */
export interface Channel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: {data: unknown}) => void): void;
}

package parley

import (
	"encoding/json"
	"time"

	"parley.example/parley/api"
)

// A MessageHead is what messages of all types have, those too that are not in the contract yet.
type MessageHead struct {
	UniqueId           api.Id               `json:"uniqueId"`
	ConversationId     api.Id               `json:"conversationId"`
	Direction          api.MessageDirection `json:"direction"`
	Status             api.MessageStatus    `json:"status"`
	MessageType        api.MessageType      `json:"messageType"`
	CreatedAt          time.Time            `json:"createdAt"`
	ReplyToMessageId   *api.Id              `json:"replyToMessageId"`
	MessagingMessageId *string              `json:"messagingMessageId"`
	ErrorCode          *int64               `json:"errorCode"`
	ErrorText          *string              `json:"errorText"`
	SentBy             api.MessageSender    `json:"sentBy"`
	CampaignId         *api.Id              `json:"campaignId"`
}

// HeadOf reads it.
func HeadOf(message api.Message) (MessageHead, error) {
	var head MessageHead
	text, err := message.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, &head)
	}
	return head, err
}

// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension WebhooksListenV1 {
    package init(after: Int64? = nil, _: Void = ()) {
        self.after = after
    }
}

extension WebhooksPage {
    package init(webhooks: [Webhook], last: Int64, _: Void = ()) {
        self.webhooks = webhooks
        self.last = last
    }
}

extension WebhooksPage.Webhook {
    package init(
        position: Int64,
        bundleId: BundleID,
        id: EventID,
        type: EventType,
        body: String,
        traceparent: String?,
        _: Void = ()
    ) {
        self.position = position
        self.bundleId = bundleId
        self.id = id
        self.type = type
        self.body = body
        self.traceparent = traceparent
    }
}

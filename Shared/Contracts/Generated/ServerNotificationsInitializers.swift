// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension ServerNotificationDeliverV1 {
    package init(identifier: String, signedPayload: String, _: Void = ()) {
        self.identifier = identifier
        self.signedPayload = signedPayload
    }
}

extension ServerNotificationDeliveredV1 {
    package init(notificationUUID: String, isRepeated: Bool, _: Void = ()) {
        self.notificationUUID = notificationUUID
        self.isRepeated = isRepeated
    }
}

extension ServerNotificationHintV1 {
    package init(
        bundleId: BundleID,
        environment: Environment,
        originalTransactionId: TransactionID,
        password: String? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.environment = environment
        self.originalTransactionId = originalTransactionId
        self.password = password
    }
}

extension ServerNotificationHintedV1 {
    package init(originalTransactionId: TransactionID, _: Void = ()) {
        self.originalTransactionId = originalTransactionId
    }
}

extension ServerNotificationRecoveredV1 {
    package init(identifier: String, signedPayload: String, _: Void = ()) {
        self.identifier = identifier
        self.signedPayload = signedPayload
    }
}

import Contracts
import Delivery

/// `counterfoil.receipt.retry.v1`: submissions, orphans and notifications that wait for an operator are judged again.
struct OnReceiptRetry {
    static let maximumPerRequest = 100
    /// Bytes of proofs per request, or one proof: reading must not outlast the heartbeat.
    static let maximumBytesPerRequest = 4 << 20

    let submissions: SubmissionWorkflow
    let notifications: ServerNotificationWorkflow

    func callAsFunction(
        _ message: Event<ReceiptRetryV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<RetryPage> {
        let store = SubmissionStore(connection: context.connection)
        if let receipt = message.data.scope.receiptId {
            guard let record = try store.record(receipt) else { return .refused(.noSuchReceipt) }
            return .reply(RetryPage(try [record].compactMap { try retry($0, message, in: context) }))
        }
        guard let cursor = RetryCursor(message.data.after) else { return .refused(.noSuchPage) }
        let (limit, key) = (Self.maximumPerRequest, cursor.key.first)
        let items: [RetryPage.Item]
        let next: [String]?
        switch cursor.kind {
        case .submission:
            let page = try store.page(.parked, after: key, limit: limit, bytes: Self.maximumBytesPerRequest)
            items = try page.records.compactMap { try retry($0, message, in: context) }
            next = cursor.next(after: page.records.last.map { [$0.receiptID.rawValue] }, isLast: page.isLast)
        case .orphan:
            let orphans = try ClaimStore(connection: context.connection)
                .orphans(after: cursor.key, limit: limit)
            items = try orphans.compactMap { try retry($0, message, in: context) }
            next = cursor.next(after: orphans.last?.key.columns, isLast: orphans.count < limit)
        case .serverNotification:
            let parked = try ServerNotificationStore(connection: context.connection)
                .page(.parked, after: key ?? "", limit: limit)
            items = try parked.compactMap { try retry($0, message.data.scope, in: context) }
            next = cursor.next(after: parked.last.map { [$0.identifier] }, isLast: parked.count < limit)
        case .grant: return .refused(.noSuchPage)
        }
        return .reply(RetryPage(items, next: next))
    }

    private func retry(
        _ record: SubmissionRecord,
        _ message: Event<ReceiptRetryV1>,
        in context: HandlerContext
    ) throws -> RetryPage.Item? {
        var record = record
        if record.failure?.isRetriable == true { record.failure = nil }
        if record.findings?.isRetriable == true { record.findings = nil }
        let assessment = submissions.assess(record, now: context.now)
        let products = assessment.items.map(\.facts.productId)
        let scope = message.data.scope
        guard scope.covers(products: products, buyer: record.buyerID, receipt: record.receiptID) else {
            return nil
        }
        let store = SubmissionStore(connection: context.connection)
        let before = try store.status(of: record.receiptID)
        context.trace(message, of: record.receiptID.rawValue)
        if record.findings == nil { try store.save(nil, of: record.receiptID) }
        try store.judge(record.receiptID, assessment, now: context.now)
        let submission = SubmissionWorkflow.Assessed(record: record, assessment: assessment, isNew: true)
        try submissions.follow(submission, in: context)
        return RetryPage.Item(
            .submission,
            id: record.receiptID.rawValue,
            bundleId: record.bundleID,
            buyerId: record.buyerID,
            productId: products.count == 1 ? products.first : nil,
            before: before,
            after: try store.status(of: record.receiptID)
        )
    }

    private func retry(
        _ orphan: ClaimRecord,
        _ message: Event<ReceiptRetryV1>,
        in context: HandlerContext
    ) throws -> RetryPage.Item? {
        let product = try ClaimStore(connection: context.connection).facts(orphan.key).productId
        let buyer = orphan.claim.proposer?.submitter
        guard message.data.scope.covers(products: [product], buyer: buyer) else { return nil }
        context.trace(message, of: orphan.key.purchaseID.rawValue)
        var workflow = ClaimWorkflow(orphan, in: context)
        _ = try workflow.apply(.retried)
        return RetryPage.Item(
            .orphan,
            id: orphan.key.purchaseID.rawValue,
            bundleId: orphan.key.bundleID,
            environment: orphan.key.environment,
            buyerId: buyer,
            productId: product,
            before: RetryPage.ItemStatus(orphan.claim.state.name),
            after: RetryPage.ItemStatus(workflow.record.claim.state.name)
        )
    }

    /// A notification that cannot be judged now, as a root is no longer trusted, stays parked.
    private func retry(
        _ record: ServerNotificationRecord,
        _ scope: RetryScope,
        in context: HandlerContext
    ) throws -> RetryPage.Item? {
        let products = scope.productId == nil ? [] : notifications.products(of: record, now: context.now)
        guard scope.covers(products: products) else { return nil }
        let store = ServerNotificationStore(connection: context.connection)
        let before = try store.status(of: record.identifier)
        var identifier = record.identifier
        do {
            identifier = try notifications.accept(record, in: context)
        } catch is ServerNotificationFailure {}
        return RetryPage.Item(
            .serverNotification,
            id: identifier,
            productId: products.first,
            before: before,
            after: try store.status(of: identifier)
        )
    }
}

extension RequestRefusal {
    fileprivate static let noSuchPage = RequestRefusal(.invalid, "No page begins there.", field: "after")
    fileprivate static let noSuchReceipt = RequestRefusal(.notFound, "no such receipt", field: "receiptId")
}

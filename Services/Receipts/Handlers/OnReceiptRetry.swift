import Contracts
import Delivery

/// `counterfoil.receipt.retry.v1`: submissions, orphans and notifications that wait for an operator are judged again.
struct OnReceiptRetry {
    static let maximumPerRequest = 100
    /// Bytes of proofs per request, or one proof: reading must not outlast the heartbeat.
    static let maximumBytesPerRequest = 4 << 20

    let submissions: SubmissionWorkflow
    let notifications: NotificationWorkflow

    func callAsFunction(
        _ message: Event<ReceiptRetryV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<RetryPage> {
        if let receipt = message.data.scope.receiptId { return try retry(receipt, message, in: &context) }
        guard let cursor = RetryCursor(message.data.after) else { return .refused(.noSuchPage) }
        switch cursor.kind {
        case .submission: return .reply(try retrySubmissions(cursor, message, in: &context))
        case .orphan: return .reply(try retryOrphans(cursor, message, in: &context))
        case .notification: return .reply(try retryNotifications(cursor, message, in: &context))
        case .grant: return .refused(.noSuchPage)
        }
    }

    private func retrySubmissions(
        _ cursor: RetryCursor,
        _ message: Event<ReceiptRetryV1>,
        in context: inout HandlerContext
    ) throws -> RetryPage {
        let page = try SubmissionStore(connection: context.connection).page(
            .parked,
            after: cursor.key.first,
            limit: Self.maximumPerRequest,
            bytes: Self.maximumBytesPerRequest
        )
        let items = try page.records.compactMap { try retry($0, message, in: &context) }
        let last = page.records.last.map { [$0.receiptID.rawValue] }
        return RetryPage(items, next: cursor.next(after: last, isLast: page.isLast))
    }

    private func retry(
        _ receipt: ReceiptID,
        _ message: Event<ReceiptRetryV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<RetryPage> {
        guard let record = try SubmissionStore(connection: context.connection).record(receipt) else {
            return .refused(RequestRefusal(.notFound, "no such receipt", field: "receiptId"))
        }
        let item = try retry(record, message, in: &context)
        return .reply(RetryPage(item.map { [$0] } ?? []))
    }

    private func retry(
        _ record: SubmissionRecord,
        _ message: Event<ReceiptRetryV1>,
        in context: inout HandlerContext
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
        context.record(message, of: record.receiptID.rawValue)
        if record.findings == nil { try store.save(nil, of: record.receiptID) }
        try store.judge(record.receiptID, assessment, now: context.now)
        try submissions.follow(assessment, of: record, isNew: true, in: &context)
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

    private func retryOrphans(
        _ cursor: RetryCursor,
        _ message: Event<ReceiptRetryV1>,
        in context: inout HandlerContext
    ) throws -> RetryPage {
        let store = ClaimStore(connection: context.connection)
        let page = try store.orphans(after: cursor.key, limit: Self.maximumPerRequest)
        var items: [RetryPage.Item] = []
        for orphan in page {
            let product = try store.facts(orphan.key).productId
            let buyer = orphan.claim.proposer?.submitter
            guard message.data.scope.covers(products: [product], buyer: buyer) else { continue }
            context.record(message, of: orphan.key.purchaseID.rawValue)
            var workflow = ClaimWorkflow(orphan)
            _ = try workflow.apply(.retried, in: &context)
            items.append(RetryPage.Item(orphan, of: product, now: workflow.record.claim.state))
        }
        let isLast = page.count < Self.maximumPerRequest
        return RetryPage(items, next: cursor.next(after: page.last?.key.columns, isLast: isLast))
    }

    private func retryNotifications(
        _ cursor: RetryCursor,
        _ message: Event<ReceiptRetryV1>,
        in context: inout HandlerContext
    ) throws -> RetryPage {
        let page = try NotificationStore(connection: context.connection)
            .page(.parked, after: cursor.key.first ?? "", limit: Self.maximumPerRequest)
        let items = try page.compactMap { try retry($0, message.data.scope, in: &context) }
        let isLast = page.count < Self.maximumPerRequest
        return RetryPage(items, next: cursor.next(after: page.last.map { [$0.identifier] }, isLast: isLast))
    }

    /// A notification that cannot be judged now, as a root is no longer trusted, stays parked.
    private func retry(
        _ record: NotificationRecord,
        _ scope: RetryScope,
        in context: inout HandlerContext
    ) throws -> RetryPage.Item? {
        let products = scope.productId == nil ? [] : notifications.products(of: record, now: context.now)
        guard scope.covers(products: products) else { return nil }
        let store = NotificationStore(connection: context.connection)
        let before = try store.status(of: record.identifier)
        var identifier = record.identifier
        do {
            identifier = try notifications.take(record, in: &context)
        } catch is NotificationFailure {}
        return RetryPage.Item(
            .notification,
            id: identifier,
            productId: products.first,
            before: before,
            after: try store.status(of: identifier)
        )
    }
}

extension RequestRefusal {
    fileprivate static let noSuchPage = RequestRefusal(.invalid, "No page begins there.", field: "after")
}

extension RetryPage.Item {
    fileprivate init(_ orphan: ClaimRecord, of product: ProductID, now state: Claim.State) {
        self.init(
            .orphan,
            id: orphan.key.purchaseID.rawValue,
            bundleId: orphan.key.bundleID,
            environment: orphan.key.environment,
            buyerId: orphan.claim.proposer?.submitter,
            productId: product,
            before: RetryPage.ItemStatus(orphan.claim.state.name),
            after: RetryPage.ItemStatus(state.name)
        )
    }
}

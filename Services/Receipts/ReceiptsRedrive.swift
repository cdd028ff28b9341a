import Contracts
import Database
import Delivery
import Domain

/// Sends every state again to a partition whose store was restored; receivers deduplicate by id and `signedDate`.
extension ReceiptsService {
    private static let claimsPerPage = 500
    /// Submissions or notifications per page; each proof is read again and may be large.
    private static let submissionsPerPage = 100
    /// Bytes of proofs per page, or one proof: reading must not outlast the heartbeat.
    private static let bytesPerPage = 4 << 20

    func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        guard let cursor = RedriveCursor(key, for: target.service) else {
            throw StoreError.corrupt("the key of a redrive begins with its stage")
        }
        let page = try page(cursor, to: target, in: context)
        let next = cursor.next(after: page.next, for: target.service)
        return RedrivePage(rows: page.rows, next: next?.columns ?? [])
    }

    /// The rows of one stage; it has ended where no key follows.
    private func page(
        _ cursor: RedriveCursor,
        to target: PartitionAddress,
        in context: HandlerContext
    ) throws -> RedrivePage {
        switch cursor.stage {
        case .claims: try redriveClaims(to: target, after: cursor.key, in: context)
        case .names: try redriveNames(to: target, after: cursor.key, in: context)
        case .answers: try redriveAnswers(to: target, after: cursor.key, in: context)
        case .previousChains: try redrivePreviousChains(after: cursor.key, in: context)
        case .previousAnswers: try redrivePreviousAnswers(to: target, after: cursor.key, in: context)
        case .submissions: try redriveSubmissions(to: target, after: cursor.key, in: context)
        case .serverNotifications: try redriveServerNotifications(to: target, after: cursor.key, in: context)
        }
    }

    private func redriveNames(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        let limit = Self.claimsPerPage
        let page = try NameRegistrationStore(connection: context.connection).page(after: key, limit: limit)
        for record in page {
            let registration = record.registration
            let workflow = NameWorkflow(record.key, registration, stored: registration, in: context)
            try workflow.redrive(record.forwarded, to: target)
        }
        return RedrivePage(page.map(\.key.columns), limit: limit)
    }

    /// Answers again, in case the restored partition was a copy from before it heard.
    private func redriveAnswers(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        let limit = Self.claimsPerPage
        let page = try PurchaseNameStore(connection: context.connection).answers(after: key, limit: limit)
        for answer in page where context.owner(of: answer) == target { try context.send(answer) }
        return RedrivePage(page.map(\.columns), limit: limit)
    }

    private func redrivePreviousChains(
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        let limit = Self.claimsPerPage
        let page = try PreviousChainStore(connection: context.connection)
            .asked(after: key, limit: limit)
        for record in page { try PreviousChainWorkflow(record, in: context).redrive() }
        return RedrivePage(page.map(\.columns), limit: limit)
    }

    /// Tells again of the holders to whom a signed token has given a replaced chain.
    private func redrivePreviousAnswers(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        let limit = Self.claimsPerPage
        let page = try PreviousChainStore(connection: context.connection).questions(after: key, limit: limit)
        for answer in page.compactMap(\.answer) where answer.isSigned == true {
            if context.owner(of: answer) == target { try context.send(answer) }
        }
        return RedrivePage(page.map(\.asked.columns), limit: limit)
    }

    private func redriveServerNotifications(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        let limit = Self.submissionsPerPage
        let (store, last) = (ServerNotificationStore(connection: context.connection), key.first ?? "")
        let page =
            target.service == .notifications
            ? try store.untransacted(after: last, limit: limit)
            : try store.page(.delivered, after: last, limit: limit)
        for record in page { try serverNotifications.redrive(record, to: target, in: context) }
        return RedrivePage(page.map { [$0.identifier] }, limit: limit)
    }

    private func redriveSubmissions(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        let page = try SubmissionStore(connection: context.connection).page(
            after: key.first,
            limit: Self.submissionsPerPage,
            bytes: Self.bytesPerPage
        )
        for record in page.records {
            let assessment = submissions.assess(record, now: context.now)
            if target.service == .notifications {
                // It is processed fully again, up to its verdict.
                try submissions.send(assessment, of: record, in: context)
            } else {
                let submission = record.submission(at: context.now)
                let inquiry = try submissions.historyInquiry(of: record, context)
                let verified = assessment.admitted.filter {
                    $0.facts.chainKey.address(in: .receipts, of: context.partitions) == target
                }
                .map { SubmissionPart.Statement.verified($0.verified(submission, inquiry)) }
                let parts = verified.parts(of: submissions.transactionsPerPart)
                try SubmissionParts(context).send(parts, of: record.receiptID)
            }
        }
        let last = page.records.last.map { [$0.receiptID.rawValue] } ?? []
        return RedrivePage(rows: page.records.count, next: page.isLast ? [] : last)
    }

    private func redriveClaims(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        let limit = Self.claimsPerPage
        let page = try ClaimStore(connection: context.connection)
            .page(after: key, limit: limit)
        for record in page {
            var workflow = ClaimWorkflow(record, in: context)
            if target.service == .orders {
                try workflow.redrive(to: target)
            } else {
                try SubscriptionRenewals(context).redrive(record, to: target)
                try workflow.redriveTransfers(to: target)
            }
        }
        return RedrivePage(page.map(\.key.columns), limit: limit)
    }
}

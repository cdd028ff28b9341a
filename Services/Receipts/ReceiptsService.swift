import Contracts
import Database
import Delivery

/// Apple's facts: submissions with their proofs, and transactions with their claims.
struct ReceiptsService: PartitionedService {
    static let name = ServiceName.receipts
    static let schema = ReceiptsSchema.schema
    static let readsAhead = true
    static let counters = CountedRule.allCases.map(\.rawValue)

    let submissions: SubmissionWorkflow
    let serverNotifications: ServerNotificationWorkflow
    /// Deletes old proofs, and goes on with what takes several turns; none if Apple is not asked.
    let timers: [any DurableTimer]
    /// Asks Apple; nil if Apple is not asked.
    let worker: (any OutsideWorker)?
    private let proofs: ProofsReadAhead
    private let apple: AppleSettings?

    init(_ configuration: ReceiptsConfiguration) {
        let verifiers = configuration.apple.verifiers
        self.init(
            reader: AppStoreProofReader(verifiers: verifiers),
            notificationReader: AppStoreServerNotificationReader(verifier: verifiers.notifications),
            policies: configuration.policies,
            retention: configuration.retention,
            freshRestore: configuration.freshRestore,
            apple: configuration.apple
        )
    }

    init(
        reader: any ProofReader,
        notificationReader: any ServerNotificationReader,
        policies: [BundleID: AppPolicy],
        retention: ProofRetention = ProofRetention(),
        freshRestore: Int64,
        transactionsPerPart: Int = SubmissionPart.maximumTransactions,
        apple: AppleSettings? = nil
    ) {
        let proofs = ProofsReadAhead(reader)
        self.proofs = proofs
        let submissions = SubmissionWorkflow(
            reader: proofs,
            policies: policies,
            transactionsPerPart: transactionsPerPart,
            freshRestore: freshRestore
        )
        let serverNotifications = ServerNotificationWorkflow(reader: notificationReader, policies: policies)
        worker = apple.map {
            AppleWorker(settings: $0, submissions: submissions, serverNotifications: serverNotifications)
        }
        if let apple {
            timers = [
                RetentionSweep(retention: retention), AccountSearchTurns(), SubmissionPartTurns(),
                EvidenceTurns(access: apple.access),
            ]
        } else {
            timers = []
        }
        self.submissions = submissions
        self.serverNotifications = serverNotifications
        self.apple = apple
    }

    func register(in table: inout HandlerTable) {
        let policies = submissions.policies
        let secrets = apple?.access.apps.compactMapValues(\.sharedSecret) ?? [:]
        table.on(request: ReceiptSubmitV1.self, OnReceiptSubmit(workflow: submissions).callAsFunction)
        table.on(
            request: ReceiptRetryV1.self,
            OnReceiptRetry(submissions: submissions, notifications: serverNotifications).callAsFunction
        )
        table.on(
            request: ServerNotificationDeliverV1.self,
            OnServerNotificationDeliver(workflow: serverNotifications).callAsFunction
        )
        table.on(
            request: ServerNotificationHintV1.self,
            OnServerNotificationHint(policies: policies, secrets: secrets).callAsFunction
        )
        table.on(
            request: ReconciliationStartV1.self,
            OnReconciliationStart(policies: policies).callAsFunction
        )
        table.on(request: ReconciliationGetV1.self, OnReconciliationGet().callAsFunction)
        table.on(request: ClaimsGetV1.self, OnClaimsGet().callAsFunction)
        table.on(request: ClaimReassignV1.self, OnClaimReassign().callAsFunction)
        table.on(request: ReassignmentProposeV1.self, OnReassignmentPropose().callAsFunction)
        table.on(request: ReassignmentConfirmV1.self, OnReassignmentConfirm().callAsFunction)
        table.on(request: ReassignmentWithdrawV1.self, OnReassignmentWithdraw().callAsFunction)
        table.on(request: PurchasesAuditV1.self, OnPurchasesAudit().callAsFunction)
        table.on(request: NamesAuditV1.self, OnNamesAudit().callAsFunction)
        table.on(request: FactsFindV1.self, OnFactsFind().callAsFunction)
        table.on(request: DeskListV1.self, OnDeskList().callAsFunction)
        table.on(request: AppleOrderAskV1.self, OnAppleOrderAsk(policies: policies).callAsFunction)
        table.on(AppleOrderWantedV1.self, OnAppleOrderWanted(policies: policies).callAsFunction)
        table.on(TransactionFoundV1.self, OnTransactionFound().callAsFunction)
        table.on(
            ServerNotificationRecoveredV1.self,
            OnServerNotificationRecovered(workflow: serverNotifications).callAsFunction
        )
        table.on(ReceiptFinishedV1.self, OnReceiptFinished(workflow: submissions).callAsFunction)
        table.on(PaymentLookupV1.self, OnPaymentLookup(policies: policies).callAsFunction)
        table.on(TransactionVerifiedV1.self, OnTransactionVerified(policies: policies).callAsFunction)
        table.on(NameClaimedV1.self, OnNameClaimed().callAsFunction)
        table.on(NameHeldV1.self, OnNameHeld(policies: policies).callAsFunction)
        table.on(PreviousChainAskedV1.self, OnPreviousChainAsked().callAsFunction)
        table.on(
            PreviousChainAnsweredV1.self,
            OnPreviousChainAnswered(policies: policies).callAsFunction
        )
        table.on(ClaimHeldV1.self, OnClaimHeld().callAsFunction)
        table.on(ClaimRedrivenV1.self, OnClaimRedriven().callAsFunction)
        table.on(ClaimRefusedV1.self, OnClaimRefused().callAsFunction)
        table.on(ChallengeAnsweredV1.self, OnChallengeAnswered().callAsFunction)
        table.on(EvidenceCompletedV1.self, OnEvidenceCompleted().callAsFunction)
        table.on(TransferAnsweredV1.self, OnTransferAnswered().callAsFunction)
        table.on(ConsumptionReportedV1.self, OnConsumptionReported().callAsFunction)
        table.on(ConsentLookupV1.self, OnConsentLookup().callAsFunction)
    }

    func readAhead(_ request: [UInt8]) { proofs.readAhead(request, now: ClockReading.current().now) }

    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        try ReceiptsTrace(connection: connection).read(identifiers)
    }

    func gauges(in connection: any Connection, now: Timestamp) throws -> [String: Double] {
        let claims = ClaimStore(connection: connection)
        let (orphans, waiting) = (try claims.orphans(), try claims.waiting())
        let names = try NameRegistrationStore(connection: connection).waiting()
        let replaced = try PreviousChainStore(connection: connection).waiting()
        let serverNotifications = ServerNotificationStore(connection: connection)
        let queries = try AppleQueryStore(connection: connection).counts()
        let consumption = try ConsumptionRequestStore(connection: connection).counts(now: now)
        func age(_ oldest: Timestamp?) -> Double {
            oldest.map { Double(now.milliseconds - $0.milliseconds) / 1_000 } ?? 0
        }
        return [
            "counterfoil_apple_queries": Double(queries.waiting),
            "counterfoil_apple_queries_oldest_seconds": age(queries.oldest),
            "counterfoil_apple_queries_failing": Double(queries.failing),
            "counterfoil_certificates_revoked": Double(apple?.revocations.revokedCount ?? 0),
            "counterfoil_consents_rescinded": Double(try serverNotifications.count(.consentRescinded)),
            "counterfoil_consumption_requests_expired": Double(consumption.expired),
            "counterfoil_consumption_requests_late": Double(consumption.late),
            "counterfoil_names_waiting": Double(names.count + replaced.count),
            "counterfoil_names_waiting_oldest_seconds":
                max(age(names.oldest), age(replaced.oldest)),
            "counterfoil_server_notifications_parked": Double(try serverNotifications.parkedCount()),
            "counterfoil_server_notifications_unknown": Double(try serverNotifications.count(.unknown)),
            "counterfoil_receipts_parked": Double(try SubmissionStore(connection: connection).parkedCount()),
            "counterfoil_transactions_orphaned": Double(orphans.count),
            "counterfoil_transactions_orphaned_oldest_seconds": age(orphans.oldest),
            "counterfoil_transactions_contested": Double(try claims.contestedCount()),
            "counterfoil_transactions_waiting": Double(waiting.count),
            "counterfoil_transactions_waiting_oldest_seconds": age(waiting.oldest),
        ]
    }
}

import Contracts
import Delivery
import Testing

@testable import Receipts

@Suite struct `the service Receipts` {
    @Test func `takes every message that is meant for it`() throws {
        var table = HandlerTable()
        ReceiptsGroup().service.register(in: &table)
        #expect(
            table.types == [
                ReceiptSubmitV1.type, ReceiptRetryV1.type, TransactionVerifiedV1.type, ClaimHeldV1.type,
                ClaimRedrivenV1.type, ClaimRefusedV1.type, ServerNotificationDeliverV1.type,
                ServerNotificationHintV1.type,
                ServerNotificationRecoveredV1.type, PaymentLookupV1.type, ClaimsGetV1.type,
                ReconciliationStartV1.type, ReconciliationGetV1.type, TransactionFoundV1.type,
                ReceiptFinishedV1.type, ConsumptionReportedV1.type, ConsentLookupV1.type,
                TransferAnsweredV1.type, PurchasesAuditV1.type, EvidenceCompletedV1.type,
                ChallengeAnsweredV1.type, ClaimReassignV1.type, NameClaimedV1.type, NameHeldV1.type,
                FactsFindV1.type, DeskListV1.type, AppleOrderAskV1.type, AppleOrderWantedV1.type,
                ReassignmentProposeV1.type, ReassignmentConfirmV1.type,
                ReassignmentWithdrawV1.type,
                NamesAuditV1.type, PreviousChainAskedV1.type, PreviousChainAnsweredV1.type,
            ]
        )
    }

    @Test func `sends on links that may be braked, as the design has them`() {
        let links: [ServiceName: LinkKind] = [
            .receipts: .forward, .orders: .forward, .entitlements: .forward, .notifications: .forward,
        ]
        #expect(LinkKind.all[.receipts] == links)
    }
}

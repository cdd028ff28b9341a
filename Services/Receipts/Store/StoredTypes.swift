import Contracts
import Database

extension AppleAPI: ValueConvertible {}
extension AppleQuery.Urgency: ValueConvertible {}
extension ServerNotificationAssessment.State: ValueConvertible {}
extension ServerNotificationKind: ValueConvertible {}
extension ProofKind: ValueConvertible {}
extension RenewalCheck.Due.Stage: ValueConvertible {}
extension Submission.Intent: ValueConvertible {}
extension TransferCause: ValueConvertible {}

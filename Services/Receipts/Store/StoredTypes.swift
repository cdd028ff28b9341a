import Contracts
import Database
import ReceiptsCore

extension AppleAPI: ValueConvertible {}
extension AppleQuery.Urgency: ValueConvertible {}
extension NotificationAssessment.State: ValueConvertible {}
extension NotificationKind: ValueConvertible {}
extension ProofKind: ValueConvertible {}

/// What an operator must look at, by the name that log and metrics have for it.
package enum AlarmKind: String, CaseIterable, Codable, Sendable {
    // Of every partition.
    case deadLetter = "dead_letter"
    case linkQuarantined = "link_quarantined"
    case linkUnanswered = "link_unanswered"
    case redriveStopped = "redrive_stopped"
    case requestFailing = "request_failing"
    case workFailing = "work_failing"
    case workParked = "work_parked"
    case workUnreadable = "work_unreadable"
    // Of receipts.
    case purchaseContested = "purchase_contested"
    case nameContested = "name_contested"
    case appleQueryFailing = "apple_query_failing"
    case serverNotificationLeftOut = "server_notification_left_out"
    case serverNotificationUnknown = "server_notification_unknown"
    case consentRescinded = "consent_rescinded"
    case consumptionRequestLate = "consumption_request_late"
    case certificateRevoked = "certificate_revoked"
    // Of entitlements.
    case purchaseParked = "purchase_parked"
    case compensationKept = "compensation_kept"
    case compensationContested = "compensation_contested"
}

import AppStoreSigning

/// What is said about the certificates; all are good until somebody says otherwise.
actor RevocationList {
    private(set) var statuses: [OCSPSubject: OCSPStatus] = [:]
    private(set) var questions = 0

    func set(_ subject: OCSPSubject, _ status: OCSPStatus) { statuses[subject] = status }

    func ask() -> [OCSPSubject: OCSPStatus] {
        questions += 1
        return statuses
    }
}

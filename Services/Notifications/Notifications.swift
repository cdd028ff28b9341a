import Program

/// The program `counterfoil-notifications`: verdicts and webhooks, partitioned by buyer.
@main struct Notifications: StatefulProgram {
    static func service(home: Home) throws -> NotificationsService {
        NotificationsService(try Configuration(of: home), isTestHome: home.isTest)
    }
}

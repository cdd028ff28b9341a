import Contracts

/// Texts for buyers in simplified Chinese.
enum SimplifiedChinese: BuyerTexts {
    static let paid = "此次购买已付款，您购买的内容已到账或即将到账。"
    static let refunded = "此次购买已付款，并且已经退款。"

    static func text(_ outcome: OrderReportV1.Outcome) -> String {
        switch outcome {
        case .deferred: "此次购买正在等待批准，批准后您将立即获得所购内容。"
        case .cancelled: "购买已取消，您没有被扣款。"
        case .failed: "购买未成功，请稍后再试。"
        }
    }

    static func text(_ fault: StoreKitFault) -> String {
        switch fault {
        case .original(.unknown), .general(.unknown): "App Store 报告了错误，请稍后再试。"
        case .original(.clientInvalid): "此设备不能进行此次购买。请检查已登录的 Apple 账户，然后重试。"
        case .original(.paymentCancelled), .general(.userCancelled): "购买已取消，您没有被扣款。"
        case .original(.paymentInvalid): "App Store 未接受此次购买。请更新 App 后重试。"
        case .original(.paymentNotAllowed), .purchase(.purchaseNotAllowed): "此设备不允许购买。请在“设置”中检查“屏幕使用时间”的限制。"
        case .original(.storeProductNotAvailable): "您所在国家或地区的 App Store 不提供此商品。"
        case .original(.cloudServicePermissionDenied): "此 App 无权使用您的媒体资料库。您可以在“设置”中允许。"
        case .original(.cloudServiceNetworkConnectionFailed), .general(.networkError):
            "无法连接 App Store。请检查网络后重试。"
        case .original(.cloudServiceRevoked): "您已撤销此次购买所需的权限。您可以在“设置”中重新允许。"
        case .original(.privacyAcknowledgementRequired): "请先在“设置”中阅读并同意 Apple 的隐私说明，然后重试。"
        case .original(.unauthorizedRequestData): "此 App 不能以这种方式购买。请更新 App 后重试。"
        case .original(.invalidOfferIdentifier), .purchase(.invalidOfferIdentifier):
            "此优惠已不存在。请更新 App，或不使用优惠购买。"
        case .original(.invalidSignature), .purchase(.invalidOfferSignature): "无法确认此优惠，请稍后再试。"
        case .original(.missingOfferParams), .purchase(.missingOfferParameters): "此优惠的信息不完整。请更新 App 后重试。"
        case .original(.invalidOfferPrice), .purchase(.invalidOfferPrice): "此优惠的价格已失效，请稍后再试。"
        case .original(.overlayCancelled): "App Store 页面已关闭。"
        case .original(.overlayInvalidConfiguration): "无法显示 App Store 页面。请更新 App 后重试。"
        case .original(.overlayTimeout): "App Store 没有及时响应，请重试。"
        case .original(.ineligibleForOffer), .purchase(.ineligibleForOffer):
            "您的 Apple 账户不符合此优惠的条件。您可以不使用优惠购买。"
        case .original(.unsupportedPlatform): "此设备不支持该操作。"
        case .original(.overlayPresentedInBackgroundScene): "请打开 App 后重试。"
        case .general(.systemError): "系统报告了错误，请稍后再试。"
        case .general(.notAvailableInStorefront): "您所在国家或地区的 App Store 不提供此内容。"
        case .general(.notEntitled): "此 App 不能进行此次购买。请更新 App 后重试。"
        case .general(.unsupported): "此设备不支持该操作。请更新系统后重试。"
        case .purchase(.invalidQuantity): "不能购买此数量，请选择其他数量。"
        case .purchase(.productUnavailable): "此商品目前无法购买。"
        }
    }
}
